/**
 * The routes about the whole: sources, settings, alerts, the doctor, the tools of a demo, the description of the API.
 */
@NullMarked
package dev.postrider.console.system;

import org.jspecify.annotations.NullMarked;
