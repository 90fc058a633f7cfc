package dev.postrider.cli.command;

import dev.postrider.cli.link.LinkAnswer;
import dev.postrider.cli.link.LinkTarget;
import dev.postrider.cli.output.Column;
import dev.postrider.cli.output.Printer;
import dev.postrider.cli.run.CliException;
import dev.postrider.cli.run.ExitCodes;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Makes one line and an exit code of an answer that is a problem. */
final class AnswerProblem {

    private AnswerProblem() {}

    static CliException of(LinkAnswer answer, LinkTarget target) {
        if (answer.contentType().contains("json")) {
            try {
                return of(answer.status(), Printer.read(answer.body()));
            } catch (JacksonException e) {
                return foreign(answer, target);
            }
        }
        return foreign(answer, target);
    }

    private static CliException of(int status, JsonNode problem) {
        String code = problem.path("code").asString("");
        String detail = problem.path("detail").asString(problem.path("title").asString("Status " + status));
        String advice = problem.path("do").asString("");
        String line = advice.isEmpty() ? detail : sentence(detail) + " " + advice;
        return new CliException(exitCode(code, status), Column.printable(line));
    }

    private static CliException foreign(LinkAnswer answer, LinkTarget target) {
        if (answer.status() == 401) {
            return new CliException(
                    ExitCodes.NOT_PERMITTED,
                    "%s wants a sign-in: set POSTRIDER_TOKEN, or POSTRIDER_USER and POSTRIDER_PASSWORD"
                            .formatted(target.shownUrl()));
        }
        return new CliException(
                exitCode("", answer.status()),
                "%s answers with status %d and not like a Postrider server: is this its address?"
                        .formatted(target.shownUrl(), answer.status()));
    }

    private static String sentence(String text) {
        return text.endsWith(".") || text.endsWith("?") ? text : text + ".";
    }

    private static int exitCode(String code, int status) {
        return switch (code) {
            case "bad-request", "filter-broken" -> ExitCodes.USAGE;
            case "not-found" -> ExitCodes.NOT_FOUND;
            case "not-permitted", "signed-out" -> ExitCodes.NOT_PERMITTED;
            case "database-unreachable" -> ExitCodes.NO_CONNECTION;
            case "" -> byStatus(status);
            default -> ExitCodes.FAILED;
        };
    }

    private static int byStatus(int status) {
        return switch (status) {
            case 400, 422 -> ExitCodes.USAGE;
            case 401, 403 -> ExitCodes.NOT_PERMITTED;
            case 404 -> ExitCodes.NOT_FOUND;
            case 502, 503, 504 -> ExitCodes.NO_CONNECTION;
            default -> ExitCodes.FAILED;
        };
    }
}
