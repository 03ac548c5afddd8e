/**
 * Preloaded by `node --import`: the directory without its history and webhooks, so that figures compare services that do the same.
 * The history has its own benchmark, `npm run bench:history`.
 */
import { registerHooks } from 'node:module'

const declarations = /\/apps\/directory\/src\/(nouns|apis)\.ts$/

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!declarations.test(url)) return loaded
    const { source = '' } = loaded
    const text = typeof source === 'string' ? source : new TextDecoder().decode(source ?? undefined)
    const bare = text.replaceAll(/\bhistory: true,?|\bresource\(change\),?|^ *webhooks,$/gm, '')
    if (/\bhistory\b|\bresource\(change\b|^ *webhooks\b/m.test(bare))
      throw new Error(`${url} declares history in a form that this file does not remove. Extend its pattern.`)
    return { ...loaded, source: bare }
  },
})
