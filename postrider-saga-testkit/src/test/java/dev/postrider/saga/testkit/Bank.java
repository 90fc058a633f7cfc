package dev.postrider.saga.testkit;

import java.util.HashMap;
import java.util.Map;

/** Another system that takes money once for each key, and gives it back once. */
final class Bank {

    private final Map<String, Map<String, Integer>> balances = new HashMap<>();

    void charge(String account, String key) {
        balance(account).putIfAbsent(key, 1);
    }

    /** Gives back what was charged with this key, and charges nothing with it from now on. */
    void refund(String account, String key) {
        balance(account).put(key, 0);
    }

    /** Gives back what was charged with this key, and forgets the key. */
    void refundAndForget(String account, String key) {
        balance(account).remove(key);
    }

    /** Pays out, however often it is asked. */
    void payOut(String account) {
        balance(account).merge("paid out", -1, Integer::sum);
    }

    boolean hasCharged(String account, String key) {
        return balance(account).getOrDefault(key, 0) > 0;
    }

    /** Returns what is charged and not paid back. */
    int read(String account) {
        return balance(account).values().stream().mapToInt(Integer::intValue).sum();
    }

    private Map<String, Integer> balance(String account) {
        return balances.computeIfAbsent(account, each -> new HashMap<>());
    }
}
