import type { RecordText } from '../../domain/conversation/record.ts'
import type { RecordPage } from '../../ports/conversation-store.ts'
import type { RouteResult } from '../route.ts'

/** How a list writes a record, and what stands behind the last one. */
export interface ListForm {
  textOf(text: RecordText): string
  /** The rest of the object, by the last slice and by how many records there were. */
  endOf(last: RecordPage, records: number): string
}

/**
 * A list of conversations as JSON. What is one slice is one text; what is more goes out slice by slice, each read when the one
 * before has left (RC44). The first slice is read before there is an answer, so that what it refuses has a status.
 */
export async function recordList(
  slices: AsyncIterable<RecordPage>,
  limit: number,
  form: ListForm,
): Promise<RouteResult> {
  const iterator = slices[Symbol.asyncIterator]()
  const first = await iterator.next()
  const page: RecordPage = first.done === true ? { records: [], more: false } : first.value
  const textOf = ({ records }: RecordPage) => records.map(({ text }) => form.textOf(text)).join(',')
  const begin = `{"conversations":[${textOf(page)}`
  const whole = !page.more || page.records.length >= limit
  if (whole) return { status: 200, text: `${begin}]${form.endOf(page, page.records.length)}}` }
  async function* pieces(): AsyncGenerator<string> {
    yield begin
    let last = page
    let records = page.records.length
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      last = next.value
      // White space shows whoever waits, and proxies between, that the search goes on.
      if (last.records.length === 0) yield ' '
      else yield records === 0 ? textOf(last) : `,${textOf(last)}`
      records += last.records.length
    }
    yield `]${form.endOf(last, records)}}`
  }
  return { status: 200, pieces: pieces() }
}
