/**
 * Bundles the sources of a package into few JavaScript files, with source maps. Loading several hundred small modules
 * takes longer than everything else that `nomen serve` does before it listens.
 */
import { globSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import { entryPoints, type Manifest } from './manifest.ts'

/** Worker threads load these files by path. */
const threads = 'src/**/{thread,*-thread}.ts'

/** Bundles `src` of a package folder into `dist`. Each entry point keeps its path; dependencies are not included. */
export async function bundle(folder: string, manifest: Manifest): Promise<void> {
  const paths = [...entryPoints(manifest), ...globSync(threads, { cwd: folder })]
  const build = await rolldown({
    input: Object.fromEntries(paths.map((path) => [relative('src', path).replace(/\.ts$/, ''), join(folder, path)])),
    cwd: folder,
    platform: 'node',
    external: (id) => !id.startsWith('.') && !isAbsolute(id),
  })
  await build.write({
    dir: join(folder, 'dist'),
    cleanDir: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'shared/[name]-[hash].js',
    sourcemap: true,
    // The package contains the sources.
    sourcemapExcludeSources: true,
  })
  await build.close()
}
