package dev.postrider.console.servlet;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;

/** Signs callers in and out where the application around the servlet has no pages for it. Called by several threads. */
public interface SignIn {

    /** What became of a sign-in. */
    enum SignInOutcome {
        /** The answer carries the cookie of a session. */
        SIGNED_IN,
        /** The name or the password is wrong. */
        REFUSED,
        /** Too many attempts have failed. */
        TOO_MANY
    }

    /** Checks a name and a password, and begins a session. */
    SignInOutcome signIn(HttpServletRequest request, HttpServletResponse response, String name, String password);

    /** Ends the session of a request, if it has one. */
    void signOut(HttpServletRequest request, HttpServletResponse response);

    /** Returns whether the caller of a request has a session that can end. */
    boolean canSignOut(HttpServletRequest request);

    /** Returns whether a name and a password can sign in. */
    boolean takesPasswords();

    /** Returns the paths that begin a sign-in at an identity provider, by the provider's name. */
    Map<String, String> providers();
}
