package dev.postrider.jdbc.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SampleRowsTest {

    @Test
    void theSameRowsAreMappedAgainAndAgain() throws SQLException {
        List<Long> first = new ArrayList<>();
        List<Long> second = new ArrayList<>();
        try (SampleRows rows = SampleRows.open()) {
            rows.map(message -> first.add(message.seq()));
            rows.map(message -> second.add(message.seq()));
        }

        assertThat(first).hasSize(SampleRows.COUNT).doesNotHaveDuplicates().isEqualTo(second);
    }
}
