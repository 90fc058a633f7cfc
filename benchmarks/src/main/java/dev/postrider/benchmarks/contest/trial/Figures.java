package dev.postrider.benchmarks.contest.trial;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** What one trial has measured, and how it crosses the border between two processes. */
public final class Figures {

    private static final String FIGURE = "figure ";
    private static final String SETTING = "setting ";

    private final Map<String, Double> values = new LinkedHashMap<>();
    private final Map<String, String> settings = new LinkedHashMap<>();

    /** Reads what {@link #print} wrote; everything else in the text is skipped. */
    public static Figures parse(String output) {
        Figures figures = new Figures();
        output.lines().forEach(line -> {
            if (line.startsWith(FIGURE)) {
                String[] parts = line.substring(FIGURE.length()).split("=", 2);
                figures.values.put(parts[0], Double.valueOf(parts[1]));
            } else if (line.startsWith(SETTING)) {
                String[] parts = line.substring(SETTING.length()).split("=", 2);
                figures.settings.put(parts[0], parts[1]);
            }
        });
        return figures;
    }

    public void put(String name, double value) {
        values.put(name, value);
    }

    /** Takes the median of each figure of these. */
    public void putMedians(List<Figures> laps) {
        laps.get(0).values.keySet().forEach(name -> put(name, Median.of(each(laps, name))));
    }

    public static double sum(List<Figures> laps, String name) {
        return Arrays.stream(each(laps, name)).sum();
    }

    private static double[] each(List<Figures> laps, String name) {
        return laps.stream().mapToDouble(lap -> lap.value(name)).toArray();
    }

    public double value(String name) {
        return Objects.requireNonNull(values.get(name), name);
    }

    public void settings(Map<String, String> more) {
        settings.putAll(more);
    }

    public Map<String, Double> values() {
        return values;
    }

    public Map<String, String> settings() {
        return settings;
    }

    public void print(PrintStream out) {
        settings.forEach((name, value) -> out.println(SETTING + name + "=" + value));
        values.forEach((name, value) -> out.println(FIGURE + name + "=" + String.format(Locale.ROOT, "%.4f", value)));
        out.flush();
    }
}
