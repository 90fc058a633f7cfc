package dev.postrider.server.security;

import dev.postrider.console.ConsoleRole;
import dev.postrider.server.source.StartException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.DelegatingPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.crypto.password.Pbkdf2PasswordEncoder;

/** The users of the settings. A password that is not hashed ends the start. */
final class ServerUsers {

    private static final String BCRYPT = "bcrypt";
    private static final Pattern HASH = Pattern.compile("\\{(bcrypt|pbkdf2)}\\S{20,}");

    private ServerUsers() {}

    static PasswordEncoder encoder() {
        return new DelegatingPasswordEncoder(
                BCRYPT,
                Map.of(
                        BCRYPT,
                        new BCryptPasswordEncoder(),
                        "pbkdf2",
                        Pbkdf2PasswordEncoder.defaultsForSpringSecurity_v5_8()));
    }

    /**
     * Checks the users and returns them.
     *
     * @throws StartException if one has no hashed password or no role
     */
    static List<UserDetails> of(Map<String, ServerProperties.User> settings) {
        List<UserDetails> users = new ArrayList<>();
        settings.forEach((name, user) -> users.add(User.withUsername(name)
                .password(hash(name, user))
                .authorities(Roles.authorities(role(name, user)))
                .build()));
        return users;
    }

    private static String hash(String name, ServerProperties.User user) {
        String password = user.password();
        if (password == null || !HASH.matcher(password).matches()) {
            throw new StartException(
                    StartException.USAGE,
                    "User %s has no hashed password: run 'postrider password' and write what it prints as"
                                    .formatted(name)
                            + " postrider.server.users.%s.password".formatted(name),
                    null);
        }
        return password;
    }

    private static ConsoleRole role(String name, ServerProperties.User user) {
        return Roles.named(String.valueOf(user.role()))
                .orElseThrow(() -> new StartException(
                        StartException.USAGE,
                        "User %s has no role: set postrider.server.users.%s.role to viewer, operator or admin"
                                .formatted(name, name),
                        null));
    }
}
