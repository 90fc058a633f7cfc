package dev.postrider.database;

import java.util.ArrayList;
import java.util.List;

/** Lists of values in statements, for databases without arrays. */
public final class Placeholders {

    private static final String LIST = "(?)";

    private Placeholders() {}

    /** Makes the list of a statement long enough for {@code size} values. */
    public static String widen(String sql, int size) {
        return sql.replace(LIST, "(?" + ", ?".repeat(width(size) - 1) + ")");
    }

    /** Returns the values and, in the places that are left, the first one again. */
    public static List<Object> padded(List<?> values) {
        List<Object> padded = new ArrayList<>(values);
        while (padded.size() < width(values.size())) {
            padded.add(values.get(0));
        }
        return padded;
    }

    /** Returns all values, one list after the other. */
    public static List<Object> joined(List<?>... lists) {
        List<Object> joined = new ArrayList<>();
        for (List<?> list : lists) {
            joined.addAll(list);
        }
        return joined;
    }

    /** Returns the next power of two, so that there are few different statements. */
    public static int width(int size) {
        return size <= 1 ? 1 : Integer.highestOneBit(size - 1) << 1;
    }
}
