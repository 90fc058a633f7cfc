package dev.postrider.console.message;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Map;

/** Everything about a message. */
record MessageDetail(
        @JsonUnwrapped MessageView message,
        PayloadView payload,
        Map<String, String> headers,
        List<AttemptView> attemptsList,
        List<AuditView> audit,
        List<ArchivedView> archived) {}
