/** Two projects: `npm test` runs both, `npm run check` the fast one alone. */
import { defineConfig } from 'vitest/config'

const slow = '**/*.slow.test.ts'
const ignored = ['**/node_modules/**', '**/dist/**']

export default defineConfig({
  test: {
    globalSetup: ['testing/shared-postgres.ts'],
    projects: [
      { test: { name: 'fast', include: ['**/*.test.ts'], exclude: [...ignored, slow], testTimeout: 15_000 } },
      { test: { name: 'slow', include: [slow], exclude: ignored, testTimeout: 60_000, hookTimeout: 60_000 } },
    ],
  },
})
