package dev.postrider.benchmarks.contest.report;

import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The scores as JSON. */
public final class ResultFile {

    private ResultFile() {}

    public static void write(
            Path file, Map<String, Object> run, Scores scores, Map<String, Double> ratios, List<String> failures)
            throws IOException {
        Map<String, Object> document = new LinkedHashMap<>(run);
        document.put("ratios", ratios);
        document.put("failures", failures);
        document.put("workloads", workloads(scores));
        Files.createDirectories(file.getParent());
        Files.writeString(
                file,
                new GsonBuilder()
                                .setPrettyPrinting()
                                .disableHtmlEscaping()
                                .create()
                                .toJson(document) + "\n");
    }

    private static Map<String, Object> workloads(Scores scores) {
        Map<String, Object> workloads = new LinkedHashMap<>();
        scores.all().forEach((workload, entrants) -> {
            Map<String, Object> contenders = new LinkedHashMap<>();
            entrants.forEach((entrant, score) -> contenders.put(entrant.title(), contender(score)));
            workloads.put(workload, contenders);
        });
        return workloads;
    }

    private static Map<String, Object> contender(Score score) {
        Map<String, Object> figures = new LinkedHashMap<>();
        score.names()
                .forEach(name -> figures.put(
                        name,
                        Map.of(
                                "median", score.median(name).orElseThrow(),
                                "min", score.least(name),
                                "max", score.most(name))));
        Map<String, Object> contender = new LinkedHashMap<>();
        contender.put("settings", score.settings());
        contender.put("figures", figures);
        return contender;
    }
}
