package dev.postrider.spring.boot.internal;

import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** Finds annotated methods of beans. Looks at types only: no bean is created before its first call. */
public final class BeanMethods {

    private final ConfigurableListableBeanFactory beans;

    public BeanMethods(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /** Returns the methods with this annotation, in the order of the beans. */
    public <A extends Annotation> List<Found<A>> with(Class<A> annotation) {
        List<Found<A>> found = new ArrayList<>();
        for (String bean : beans.getBeanDefinitionNames()) {
            Class<?> type = ScopedProxyUtils.isScopedTarget(bean) ? null : type(bean);
            if (type != null) {
                methods(type, annotation)
                        .forEach((method, value) -> found.add(new Found<>(beans, bean, method, value)));
            }
        }
        return found;
    }

    private @Nullable Class<?> type(String bean) {
        try {
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, bean);
            return type == null || type.getName().startsWith("org.springframework.") ? null : type;
        } catch (RuntimeException e) {
            // The type of a bean whose class path is incomplete: no concern of ours.
            return null;
        }
    }

    private static <A extends Annotation> Map<Method, A> methods(Class<?> type, Class<A> annotation) {
        return MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<@Nullable A>)
                method -> AnnotatedElementUtils.findMergedAnnotation(method, annotation));
    }

    /** One method of a bean, with its annotation. */
    public record Found<A extends Annotation>(
            ConfigurableListableBeanFactory beans, String bean, Method method, A annotation) {

        /** Calls the method; what it throws comes as it is. */
        public void call(@Nullable Object... arguments) throws Exception {
            Object target = beans.getBean(bean);
            Method callable = AopUtils.selectInvocableMethod(method, target.getClass());
            callable.setAccessible(true);
            try {
                callable.invoke(target, arguments);
            } catch (InvocationTargetException e) {
                if (e.getCause() instanceof Exception cause) {
                    throw cause;
                }
                if (e.getCause() instanceof Error error) {
                    throw error;
                }
                throw e;
            }
        }
    }
}
