import { defineConfig } from "vitest/config";

export default defineConfig({
  base: "./", // relative addresses: the pages work below any path
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    cssTarget: ["chrome125", "firefox125", "safari17.5"],
    cssCodeSplit: false,
    assetsInlineLimit: 0, // the content security policy allows no data: address
    modulePreload: { polyfill: false }, // nor an inline script
    sourcemap: false,
    reportCompressedSize: false,
  },
  test: { environment: "node", include: ["src/**/*.test.ts", "src/**/*.test.tsx"] },
});
