package dev.postrider.hibernate;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.hibernate.boot.spi.SessionFactoryOptions;
import org.hibernate.cache.cfg.spi.DomainDataRegionBuildingContext;
import org.hibernate.cache.cfg.spi.DomainDataRegionConfig;
import org.hibernate.cache.spi.support.DomainDataStorageAccess;
import org.hibernate.cache.spi.support.RegionFactoryTemplate;
import org.hibernate.cache.spi.support.StorageAccess;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/** A second-level cache in maps; Hibernate makes it by its name. */
public final class MapRegions extends RegionFactoryTemplate {

    private static final long serialVersionUID = 1;

    public MapRegions() {}

    @Override
    protected void prepareForUse(SessionFactoryOptions settings, Map<String, Object> configuration) {}

    @Override
    protected void releaseFromUse() {}

    @Override
    protected DomainDataStorageAccess createDomainDataStorageAccess(
            DomainDataRegionConfig config, DomainDataRegionBuildingContext context) {
        return new Storage();
    }

    @Override
    protected StorageAccess createQueryResultsRegionStorageAccess(String name, SessionFactoryImplementor factory) {
        return new Storage();
    }

    @Override
    protected StorageAccess createTimestampsRegionStorageAccess(String name, SessionFactoryImplementor factory) {
        return new Storage();
    }

    private static final class Storage implements DomainDataStorageAccess {

        private final Map<Object, Object> values = new ConcurrentHashMap<>();

        @Override
        public @Nullable Object getFromCache(Object key, SharedSessionContractImplementor session) {
            return values.get(key);
        }

        @Override
        public void putIntoCache(Object key, Object value, SharedSessionContractImplementor session) {
            values.put(key, value);
        }

        @Override
        public boolean contains(Object key) {
            return values.containsKey(key);
        }

        @Override
        public void removeFromCache(Object key, SharedSessionContractImplementor session) {
            values.remove(key);
        }

        @Override
        public void clearCache(SharedSessionContractImplementor session) {
            values.clear();
        }

        @Override
        public void evictData() {
            values.clear();
        }

        @Override
        public void evictData(Object key) {
            values.remove(key);
        }

        @Override
        public void release() {
            values.clear();
        }
    }
}
