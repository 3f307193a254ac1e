/** When nothing is on its way any more. */
import type { Connection, KafkaState } from '../state.ts'
import { isQuiet } from './logs.ts'

const isIdle = ({ requests, replies, late, unsent }: Connection): boolean =>
  requests.length + replies.length + late.length + unsent.length === 0

/** Nothing is on its way that could still be written or decided. */
export const isStill = ({ connection, markers, verification, partition }: KafkaState): boolean =>
  connection.every(({ coordinator, partition: leaders }) => [coordinator, ...leaders].every(isIdle)) &&
  [...markers, ...verification].every((list) => list.length === 0) &&
  partition.every(isQuiet)
