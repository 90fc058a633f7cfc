package dev.postrider.spring.boot.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spring.boot.Contexts;
import dev.postrider.spring.boot.Deliveries;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class PostriderEndpointTest {

    @Test
    void endpointShowsCountsAndPausesTheRelay() {
        Contexts.embedded()
                .withBean(Deliveries.class)
                .withPropertyValues("management.endpoints.web.exposure.include=*")
                .run(context -> {
                    PostriderEndpoint endpoint = context.getBean(PostriderEndpoint.class);

                    Map<String, Object> summary = endpoint.summary();
                    Map<String, Object> paused = endpoint.act("pause");

                    assertThat(summary).containsEntry("pending", 0L).containsKey("relay");
                    assertThat(paused).containsEntry("state", "PAUSED");
                });
    }
}
