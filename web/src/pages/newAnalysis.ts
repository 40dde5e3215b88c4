// The form of a new analysis, which has a page and stands in an empty queue. Its code comes when it is first needed.
import { Part } from '../ui/part';

export const newAnalysis = new Part(() => import('./create/createPart'));
