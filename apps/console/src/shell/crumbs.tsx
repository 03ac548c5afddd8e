/** The breadcrumbs from the service to the current view, at any depth. */
import { Breadcrumbs, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useRecord } from '../http/queries.ts'
import { text } from '../language/language.ts'
import { isHistory } from '../model/history/history.ts'
import { plainTitle } from '../model/record/label.ts'
import { type Route, recordPath, type Step, stepsTo } from '../model/route.ts'
import { useRecordTitle } from '../record/use-record-title.ts'
import { useConsole } from '../state/console-context.ts'
import { Link } from '../view/link.tsx'

export function Crumbs({ route }: { readonly route: Route }) {
  const { service } = useConsole()
  const steps = stepsTo(route)
  const last = steps.length - 1
  const crumbList = useRef<HTMLElement>(null)
  const pageTitle = route.kind === 'record' ? undefined : [titleOf(route), service.title].filter(Boolean).join(' · ')
  useEffect(() => {
    if (pageTitle) document.title = pageTitle
  }, [pageTitle])
  // If the breadcrumbs do not fit, the end stays visible, also when names load.
  useEffect(() => {
    const all = crumbList.current
    if (!all?.firstElementChild) return
    const observer = new ResizeObserver(() => all.scrollTo({ left: all.scrollWidth }))
    observer.observe(all.firstElementChild)
    return () => observer.disconnect()
  }, [])
  return (
    <nav aria-label={text().shell.breadcrumbs} className="crumbs" ref={crumbList}>
      <Breadcrumbs separator="/" separatorMargin={6}>
        {steps.flatMap((step, index) => [
          <Link
            key={step.listPath}
            to={step.listPath}
            size="sm"
            {...(index === last && step.ids === undefined && route.kind === 'list' && { 'aria-current': 'page' })}
          >
            {step.collection.parent && isHistory(step.collection) ? text().history.title : step.collection.plural}
          </Link>,
          ...(step.ids ? [<RecordCrumb key={`${step.listPath} record`} step={step} isLast={index === last} />] : []),
        ])}
        {route.kind === 'create' && <Text size="sm">{text().shell.newRecord}</Text>}
        {route.kind !== 'unknown' && viewTitle(route) !== undefined && <Text size="sm">{viewTitle(route)}</Text>}
      </Breadcrumbs>
    </nav>
  )
}

/** The title of the tab of the browser. That of a record begins with its name. */
function titleOf(route: Route): string {
  return 'collection' in route ? route.collection.plural : (viewTitle(route) ?? text().shell.notFoundTitle)
}

/** The title of a view of the whole service. */
function viewTitle({ kind }: Route): string | undefined {
  const { overview, usage, schema, operations } = text().common
  const titles: { readonly [view: string]: string } = { overview, usage, schema, operations }
  return titles[kind]
}

function RecordCrumb({ step, isLast }: { readonly step: Step; readonly isLast: boolean }) {
  const { service } = useConsole()
  const ids = step.ids ?? []
  const { data } = useRecord(step.collection, ids)
  const title = useRecordTitle(step.collection, data?.record)
  const name = title ?? plainTitle(step.collection, ids.at(-1))
  useEffect(() => {
    if (isLast) document.title = [name, step.collection.plural, service.title].join(' · ')
  }, [isLast, name, step.collection, service])
  return (
    <Link to={recordPath(step.collection, ids)} size="sm" {...(isLast && { 'aria-current': 'page' })}>
      {name}
    </Link>
  )
}
