/** Who may call the server and from where: users, identity providers, sessions, and the machine itself. */
@NullMarked
package dev.postrider.server.security;

import org.jspecify.annotations.NullMarked;
