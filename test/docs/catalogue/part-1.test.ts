import { describePart } from './parts.ts'

describePart(0)
