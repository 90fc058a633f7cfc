/** Enqueues the domain events of Hibernate's managed entities in the transaction that stores the entities. */
@NullMarked
package dev.postrider.hibernate;

import org.jspecify.annotations.NullMarked;
