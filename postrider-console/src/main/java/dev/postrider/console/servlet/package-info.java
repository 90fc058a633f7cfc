/**
 * Serves the operators' API and pages over HTTP, as one servlet below any path. Who a caller is comes from the
 * application around it. What a request means belongs to the package above.
 */
@NullMarked
package dev.postrider.console.servlet;

import org.jspecify.annotations.NullMarked;
