package dev.postrider.spring.test;

import org.springframework.stereotype.Component;

/** Needs a bean that the application under test does not have. */
@Component
class Payroll {

    Payroll(Thread missing) {
        missing.start();
    }
}
