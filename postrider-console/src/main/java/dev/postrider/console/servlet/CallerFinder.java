package dev.postrider.console.servlet;

import dev.postrider.console.Caller;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/** Finds out who sent a request. Called by several threads. */
@FunctionalInterface
public interface CallerFinder {

    /** Returns the caller, or nothing if nobody is signed in. */
    Optional<Caller> caller(HttpServletRequest request);
}
