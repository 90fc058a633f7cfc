package dev.postrider.saga.testkit;

/**
 * A place the engine came to.
 *
 * @param after the function of a step that ran last
 * @param free whether no transaction held the saga there, so that another engine could take it
 */
record Hit(String point, String after, boolean free) {}
