package dev.postrider.console.message;

/**
 * How many an action was asked for, and how many it was done to.
 *
 * @param asked how many ids the request named
 * @param done how many were in the right state
 */
public record ActionCount(int asked, int done) {}
