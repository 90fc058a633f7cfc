package dev.postrider.jdbc.operator;

import dev.postrider.admin.Page;

/** Which way a statement goes through an index. It is written for the way up. */
enum IndexDirection {
    UP {
        @Override
        String in(String statement) {
            return statement
                    .replace("{asc}", "asc")
                    .replace("{desc}", "desc")
                    .replace("{>}", ">")
                    .replace("{<}", "<")
                    .replace("{>=}", ">=")
                    .replace("{<=}", "<=");
        }
    },
    DOWN {
        @Override
        String in(String statement) {
            return statement
                    .replace("{asc}", "desc")
                    .replace("{desc}", "asc")
                    .replace("{>}", "<")
                    .replace("{<}", ">")
                    .replace("{>=}", "<=")
                    .replace("{<=}", ">=");
        }
    };

    static IndexDirection of(Page.Order order) {
        return switch (order) {
            case OLDEST_FIRST -> UP;
            case NEWEST_FIRST -> DOWN;
        };
    }

    abstract String in(String statement);
}
