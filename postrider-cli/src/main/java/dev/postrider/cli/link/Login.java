package dev.postrider.cli.link;

import org.jspecify.annotations.Nullable;

/**
 * How a command signs in. It never shows the secret.
 *
 * @param user the user; null if none is given
 * @param secret a password or a token; null if none is given
 * @param bearer whether the secret is a bearer token
 */
record Login(@Nullable String user, @Nullable String secret, boolean bearer) {

    Login as(@Nullable String other) {
        return other == null ? this : new Login(other, secret, bearer);
    }

    @Override
    public String toString() {
        return user == null ? "nobody" : user;
    }
}
