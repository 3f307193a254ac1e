import { defineConfig } from 'vitest/config'

/** Tests explore state spaces and start processes; on a slow shared machine that may take minutes, never for ever. */
const patienceMs = 900_000

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/set-up.ts'],
    // All cores: most of the time goes into exploring state spaces, one core for each test file.
    maxWorkers: '100%',
    testTimeout: patienceMs,
    hookTimeout: patienceMs,
    teardownTimeout: patienceMs,
    coverage: {
      include: ['checker/**', 'traces/**', 'spec/**', 'dumps/**', 'cli/**'],
      reportsDirectory: 'coverage',
    },
  },
})
