import { describePart } from './parts.ts'

describePart(2)
