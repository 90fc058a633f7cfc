/** What the packages of the auto-configuration share. Not for applications: it can change with any release. */
@NullMarked
package dev.postrider.spring.boot.internal;

import org.jspecify.annotations.NullMarked;
