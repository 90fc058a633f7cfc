package dev.postrider.console.system;

import dev.postrider.console.SourceSetting;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Hides secrets in settings, by what they are called and by what they look like. */
final class SecretMask {

    static final String DOTS = "••••";

    private static final Pattern NAME = Pattern.compile(
            "pass(word|wd|phrase)?\\b|pwd|secret|token|credential|private|jaas|api-?key|apikey|\\bkeys?\\b|-key\\b|[a-z]key$");

    // Keys that are no secrets: words about the keys of messages.
    private static final Set<String> HARMLESS = Set.of("key-policy", "key-serializer", "message-key", "routing-key");
    private static final Pattern USER_INFO = Pattern.compile("//[^/@\\s]*@");
    private static final Pattern PARAMETER = Pattern.compile(
            "((?:pass\\w*|pwd|secret|token|\\w*password|\\w*key|user)\\s*=\\s*)(?:\"[^\"]*\"|[^&;,\\s]*)",
            Pattern.CASE_INSENSITIVE);

    private SecretMask() {}

    static SourceSetting masked(SourceSetting setting) {
        boolean secret = setting.secret() || secretName(setting.name());
        String value = secret ? DOTS : maskedValue(setting.value());
        return new SourceSetting(setting.name(), value, setting.origin(), secret);
    }

    static boolean secretName(String name) {
        String lower = name.toLowerCase(Locale.ROOT).replace('_', '-');
        String last = lower.substring(lower.lastIndexOf('.') + 1);
        return !HARMLESS.contains(last) && NAME.matcher(lower).find();
    }

    static String maskedValue(String value) {
        return PARAMETER
                .matcher(USER_INFO.matcher(value).replaceAll("//" + DOTS + "@"))
                .replaceAll("$1" + DOTS);
    }
}
