package dev.postrider.cli.link;

/** Opens the connection that a target needs. */
public final class Links {

    private Links() {}

    /** Opens a connection; {@code user} is the name in the audit trail where there is no sign-in. */
    public static ConsoleLink open(LinkTarget target, String user) {
        return target.kind() == LinkTarget.Kind.API ? new HttpLink(target) : new JdbcLink(target, user);
    }

    /** Opens the tables of a database for the commands that make and check them. */
    public static SchemaLink schema(LinkTarget target, boolean create) {
        return new SchemaLink(Databases.open(target, create), target.tables());
    }
}
