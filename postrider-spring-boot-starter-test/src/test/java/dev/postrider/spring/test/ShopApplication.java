package dev.postrider.spring.test;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application under test. */
@SpringBootApplication
class ShopApplication {}
