package dev.postrider.console.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.console.Caller;
import dev.postrider.console.ConsoleApi;
import dev.postrider.console.ConsoleRequest;
import dev.postrider.console.ConsoleRole;
import dev.postrider.console.ConsoleRoute;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class OpenApiTest {

    private static final String FILE = "src/main/resources/META-INF/postrider/console/openapi.json";

    @Test
    void documentInTheJarIsThatOfTheRoutes() throws IOException {
        Path fresh = Files.createDirectories(Path.of("target")).resolve("openapi.json");
        Files.writeString(fresh, document());

        assertThat(Path.of(FILE))
                .as("%s is out of date: copy %s there", FILE, fresh)
                .exists()
                .hasSameTextualContentAs(fresh);
    }

    @Test
    void everyRouteIsDescribedWithItsRole() {
        JsonNode paths = JsonMapper.builder().build().readTree(document()).get("paths");
        Set<String> ids = new HashSet<>();
        try (ConsoleApi api = ConsoleApi.of(List.of())) {
            for (ConsoleRoute route : api.routes()) {
                JsonNode operation =
                        paths.path(route.template()).path(route.method().toLowerCase(Locale.ROOT));

                assertThat(operation.path("x-role").asString(""))
                        .as("%s", route)
                        .isEqualTo(route.role().name());
                assertThat(ids.add(operation.get("operationId").asString()))
                        .as("%s", route)
                        .isTrue();
            }
        }
    }

    @Test
    void everyReferenceLeadsToASchema() {
        JsonNode document = JsonMapper.builder().build().readTree(document());

        List<String> references = document.findValuesAsString("$ref");

        assertThat(references).isNotEmpty();
        for (String reference : references) {
            assertThat(document.at(reference.substring(1)).isObject())
                    .as(reference)
                    .isTrue();
        }
    }

    private static String document() {
        try (ConsoleApi api = ConsoleApi.of(List.of())) {
            return api.handle(new ConsoleRequest(
                            "GET", "/api/v1/openapi.json", Map.of(), "", new Caller("ada", ConsoleRole.VIEWER)))
                    .body();
        }
    }
}
