package dev.postrider.spring.boot;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

/** The names of all settings, and which of them is nearest to a name that is none. */
final class SettingNames {

    private SettingNames() {}

    /** Returns the setting that somebody most likely meant. */
    static String nearest(String wrong) {
        List<String> names = new ArrayList<>();
        collect("postrider", PostriderProperties.class, wrong, names);
        return names.stream()
                .min(Comparator.comparingInt(name -> distance(plain(name), plain(wrong))))
                .orElseThrow();
    }

    private static void collect(String prefix, Class<?> type, String wrong, List<String> names) {
        for (RecordComponent component : type.getRecordComponents()) {
            String name = prefix + "." + DataObjectPropertyName.toDashedForm(component.getName());
            if (component.getType().isRecord()) {
                collect(name, component.getType(), wrong, names);
            } else if (component.getType() == Map.class
                    && component.getGenericType() instanceof ParameterizedType map
                    && map.getActualTypeArguments()[1] instanceof Class<?> value
                    && value.isRecord()) {
                collect(name + key(name, wrong), value, wrong, names);
            } else {
                names.add(name);
            }
        }
    }

    // The key of a map is whatever the user has written.
    private static String key(String map, String wrong) {
        int end = wrong.lastIndexOf('.');
        return wrong.startsWith(map + ".") && end > map.length() ? wrong.substring(map.length(), end) : ".<topic>";
    }

    private static String plain(String name) {
        return name.replace("-", "").toLowerCase(java.util.Locale.ROOT);
    }

    /** Counts the characters to insert, delete or replace (Levenshtein). */
    private static int distance(String a, String b) {
        int[] above = IntStream.rangeClosed(0, b.length()).toArray();
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(above[j], row[j - 1]));
            }
            above = row;
        }
        return above[b.length()];
    }
}
