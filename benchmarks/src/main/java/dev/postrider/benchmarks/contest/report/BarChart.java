package dev.postrider.benchmarks.contest.report;

import java.util.List;
import java.util.Locale;

/** Horizontal bars as SVG, readable on light and dark pages. */
final class BarChart {

    private static final int LEFT = 150;
    private static final int WIDTH = 720;
    private static final int BAR = 22;
    private static final int STEP = 30;
    private static final int TOP = 44;
    private static final int ROOM_FOR_NUMBER = 110;

    /** One bar. */
    record Bar(String name, double value, boolean ours) {}

    private BarChart() {}

    static String of(String title, List<Bar> bars) {
        double longest = bars.stream().mapToDouble(Bar::value).max().orElse(1);
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1$d\" height=\"%2$d\" viewBox=\"0 0 %1$d %2$d\""
                        + " font-family=\"sans-serif\" font-size=\"13\" role=\"img\" aria-label=\"%3$s\">%n"
                        + "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>%n"
                        + "<text x=\"12\" y=\"24\" font-size=\"15\" font-weight=\"bold\" fill=\"#1b1f24\">%3$s</text>%n",
                WIDTH,
                TOP + bars.size() * STEP + 8,
                title));
        int y = TOP;
        for (Bar bar : bars) {
            double length = Math.max(1, bar.value() / longest * (WIDTH - LEFT - ROOM_FOR_NUMBER));
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%d\" y=\"%d\" text-anchor=\"end\" fill=\"#1b1f24\">%s</text>%n"
                            + "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"3\" fill=\"%s\"/>%n"
                            + "<text x=\"%.1f\" y=\"%d\" fill=\"#1b1f24\">%s</text>%n",
                    LEFT - 10,
                    y + BAR - 6,
                    bar.name(),
                    LEFT,
                    y,
                    length,
                    BAR,
                    bar.ours() ? "#c2410c" : "#94a3b8",
                    LEFT + length + 8,
                    y + BAR - 6,
                    Table.number(bar.value())));
            y += STEP;
        }
        return svg.append("</svg>\n").toString();
    }
}
