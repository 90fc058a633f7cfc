package dev.postrider.console.servlet;

import dev.postrider.console.Caller;
import dev.postrider.console.ConsoleRole;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Takes every request of this machine for one of its administrator, and no other. A request that a proxy has passed on
 * is none of this machine, and neither is one for a host name that a foreign name server has pointed here. Thread-safe.
 */
public final class LoopbackCallers implements CallerFinder {

    private static final Caller LOCAL = new Caller("local", ConsoleRole.ADMIN);
    private static final Pattern ADDRESS =
            Pattern.compile("127(\\.\\d{1,3}){3}|::1|(0:){7}1|::ffff:127(\\.\\d{1,3}){3}");
    private static final Pattern HOST = Pattern.compile("(localhost|127(\\.\\d{1,3}){3}|\\[::1])(:\\d{1,5})?");
    private static final List<String> PASSED_ON =
            List.of("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via");

    @Override
    public Optional<Caller> caller(HttpServletRequest request) {
        return isLocal(request) ? Optional.of(LOCAL) : Optional.empty();
    }

    /** Returns whether a request was sent on this machine, by a program or page that meant this machine. */
    public static boolean isLocal(HttpServletRequest request) {
        return matches(ADDRESS, request.getRemoteAddr())
                && matches(HOST, request.getHeader("Host"))
                && PASSED_ON.stream().allMatch(header -> request.getHeader(header) == null);
    }

    private static boolean matches(Pattern pattern, @Nullable String text) {
        return text != null && pattern.matcher(text.toLowerCase(Locale.ROOT)).matches();
    }
}
