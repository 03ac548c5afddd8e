/** The console on mocks alone: they answer in the browser, and no service is there. */
import type { Collection } from '@nomen/core/mocks'
import { collections, mock } from '@nomen/directory/mocks'
import access from '@nomen/directory/openapi/access.json'
import { HttpResponse, http } from 'msw'
import { setupWorker } from 'msw/browser'

/** The mocks know no PUT: a form that is saved as a whole is merged over the record, which comes to the same. */
const replace = http.put('*/v1/:name/:ref', async ({ params, request }) => {
  const named: { readonly [name: string]: Pick<Collection<object>, 'update'> } = collections
  const replaced = named[`${params.name}`]?.update(Number(params.ref), (await request.json()) as object)
  return HttpResponse.json(replaced ?? null, { status: replaced ? 200 : 404 })
})

/** The mocks keep no history, so the console must not offer it. */
const paths = Object.fromEntries(
  Object.entries(access.paths).filter(([path]) => !/\/(change|restoration)(\/|$)/.test(path)),
)
const contract = http.get('*/v1/openapi.json', () => HttpResponse.json({ ...access, paths, servers: [{ url: '/' }] }))

await setupWorker(contract, replace, ...mock.handlers).start({
  onUnhandledFrame: 'bypass',
  quiet: true,
  serviceWorker: { url: '/mockServiceWorker.js', options: { scope: '/' } },
})

// The console begins when everything that it asks for is answered.
const page = document.querySelector<HTMLScriptElement>('script[data-console]')?.dataset.console
if (page === undefined) throw new Error('The page does not name the console.')
if (location.hash === '') history.replaceState(null, '', '#/v1/role')
await import(/* @vite-ignore */ new URL(page, document.baseURI).href)
