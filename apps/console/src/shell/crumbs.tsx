/** The way from the service to the present place, along nested paths of any depth. */
import { Breadcrumbs, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { type Place, recordPath, type Step, stepsTo } from '../model/address.ts'
import { labelOf } from '../model/record/label.ts'
import { Link } from '../view/link.tsx'
import { useConsole } from '../wire/console-context.ts'
import { useRecord } from '../wire/data.ts'

export function Crumbs({ place }: { readonly place: Place }) {
  const { service } = useConsole()
  const steps = stepsTo(place)
  const last = steps.length - 1
  const way = useRef<HTMLElement>(null)
  // Where there is no room for all of it, the end counts; it grows when names come in.
  useEffect(() => {
    const all = way.current
    if (!all?.firstElementChild) return
    const watch = new ResizeObserver(() => all.scrollTo({ left: all.scrollWidth }))
    watch.observe(all.firstElementChild)
    return () => watch.disconnect()
  }, [])
  return (
    <nav aria-label="Breadcrumbs" className="crumbs" ref={way}>
      <Breadcrumbs separator="/" separatorMargin={6}>
        <Link to="/" size="sm" fw={600} c="inherit">
          {service.title}
        </Link>
        {steps.flatMap((step, index) => [
          <Link
            key={step.listPath}
            to={step.listPath}
            size="sm"
            {...(index === last && step.ids === undefined && place.kind === 'list' && { 'aria-current': 'page' })}
          >
            {step.collection.title}
          </Link>,
          ...(step.ids ? [<RecordCrumb key={`${step.listPath} record`} step={step} isLast={index === last} />] : []),
        ])}
        {place.kind === 'create' && <Text size="sm">New</Text>}
        {place.kind === 'usage' && <Text size="sm">Usage</Text>}
        {place.kind === 'operations' && <Text size="sm">Operations</Text>}
      </Breadcrumbs>
    </nav>
  )
}

function RecordCrumb({ step, isLast }: { readonly step: Step; readonly isLast: boolean }) {
  const { service } = useConsole()
  const ids = step.ids ?? []
  const { data } = useRecord(step.collection, ids)
  return (
    <Link to={recordPath(step.collection, ids)} size="sm" {...(isLast && { 'aria-current': 'page' })}>
      {data ? labelOf(service, step.collection, data.record) : `${ids.at(-1)}`}
    </Link>
  )
}
