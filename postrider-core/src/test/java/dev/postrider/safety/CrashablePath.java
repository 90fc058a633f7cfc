package dev.postrider.safety;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A path of a {@link CrashableDisk}: everything but the file system comes from the path beneath. */
record CrashablePath(Path real, FileSystem system) implements InvocationHandler {

    static Path of(Path real, FileSystem system) {
        return (Path) Proxy.newProxyInstance(
                CrashablePath.class.getClassLoader(), new Class<?>[] {Path.class}, new CrashablePath(real, system));
    }

    static Path real(Path path) {
        return Proxy.isProxyClass(path.getClass())
                        && Proxy.getInvocationHandler(path) instanceof CrashablePath crashable
                ? crashable.real
                : path;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getName().equals("getFileSystem")) {
            return system;
        }
        Object[] unwrapped = arguments == null ? new Object[0] : arguments.clone();
        for (int i = 0; i < unwrapped.length; i++) {
            unwrapped[i] = unwrapped[i] instanceof Path path ? real(path) : unwrapped[i];
        }
        try {
            Object result = method.invoke(real, unwrapped);
            return result instanceof Path path ? of(path, system) : result;
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause();
            throw cause == null ? e : cause;
        }
    }
}
