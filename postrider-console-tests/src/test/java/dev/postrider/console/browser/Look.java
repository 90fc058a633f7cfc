package dev.postrider.console.browser;

import com.microsoft.playwright.options.ColorScheme;

/** How large a window is and which theme it has. */
record Look(int width, int height, ColorScheme theme) {

    static Look light() {
        return new Look(1440, 900, ColorScheme.LIGHT);
    }

    static Look dark() {
        return new Look(1440, 900, ColorScheme.DARK);
    }

    Look narrow() {
        return new Look(320, 800, theme);
    }
}
