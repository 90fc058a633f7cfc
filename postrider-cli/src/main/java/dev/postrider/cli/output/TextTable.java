package dev.postrider.cli.output;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Lays out rows in columns. If the terminal is too narrow, the widest columns are cut. */
final class TextTable {

    private static final String GAP = "  ";
    private static final int NARROWEST = 6;

    private final List<Column> columns;
    private final List<List<String>> rows = new ArrayList<>();
    private final Paint paint;

    TextTable(List<Column> columns, Paint paint) {
        this.columns = columns;
        this.paint = paint;
    }

    void add(List<String> cells) {
        rows.add(cells);
    }

    /** Returns the lines; {@code terminal} is the number of characters in a line, or zero for no bound. */
    List<String> lines(int terminal) {
        int[] widths = widths(terminal);
        List<String> lines = new ArrayList<>(rows.size() + 1);
        lines.add(paint.bold(line(
                columns.stream().map(c -> c.title().toUpperCase(Locale.ROOT)).toList(), widths, new Paint(false))));
        rows.forEach(row -> lines.add(line(row, widths, paint)));
        return lines;
    }

    private int[] widths(int terminal) {
        int[] widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = columns.get(i).title().length();
            for (List<String> row : rows) {
                widths[i] = Math.max(widths[i], length(row.get(i)));
            }
        }
        int gaps = GAP.length() * (widths.length - 1);
        while (terminal > 0 && Arrays.stream(widths).sum() + gaps > terminal) {
            int widest = widest(widths);
            if (widths[widest] <= NARROWEST) {
                break;
            }
            widths[widest]--;
        }
        return widths;
    }

    private static int widest(int[] widths) {
        int widest = 0;
        for (int i = 1; i < widths.length; i++) {
            if (widths[i] > widths[widest]) {
                widest = i;
            }
        }
        return widest;
    }

    private String line(List<String> cells, int[] widths, Paint colours) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            Column column = columns.get(i);
            String cell = cut(cells.get(i), widths[i]);
            String pad = " ".repeat(widths[i] - length(cell));
            String text = column.form() == Column.Form.WORD ? colours.word(cells.get(i), cell) : cell;
            line.append(column.alignedRight() ? pad + text : text + pad).append(i < widths.length - 1 ? GAP : "");
        }
        return line.toString().stripTrailing();
    }

    private static String cut(String cell, int width) {
        if (length(cell) <= width) {
            return cell;
        }
        return cell.substring(0, cell.offsetByCodePoints(0, width - 1)) + "…";
    }

    private static int length(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
