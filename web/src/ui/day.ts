// Days, as dates to move by are, without a time: "2026-12-03"; and moments of which the day matters.
import { moment } from './format';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

// Of a moment (Unix ms), where the reader is.
const dayOf = (at: number): string => moment(at).slice(0, 10);

// "3 Dec"; with its year where that is not the present one.
function dayText(day: string, now: number): string {
  const [year, month, date] = day.split('-').map(Number);
  const text = `${date} ${months[month! - 1]}`;
  return year === new Date(now).getFullYear() ? text : `${text} ${year}`;
}

// When a night ends that begins now, Unix ms: the next 07:00 that is at least four hours away.
export function morningAfter(now: number): number {
  const morning = new Date(now);
  morning.setHours(7, 0, 0, 0);
  while (morning.getTime() < now + 4 * 3_600_000) morning.setDate(morning.getDate() + 1);
  return morning.getTime();
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

// A moment to come (Unix ms), in few letters: "07:00" within a day, "Tue 07:00" within a week, "3 Dec" later.
export function soonText(at: number, now: number): string {
  const day = 86_400_000;
  if (at - now >= 7 * day) return dayText(dayOf(at), now);
  const time = moment(at).slice(11);
  return at - now < day ? time : `${weekdays[new Date(at).getDay()]} ${time}`;
}

// "move by 3 Dec (in 10 days)"; `late`: the day has passed.
export function moveBy(day: string, now: number): { text: string; late: boolean } {
  const days = Math.round((Date.parse(day) - Date.parse(dayOf(now))) / 86_400_000);
  const far =
    days === 0
      ? 'today'
      : days === 1
        ? 'tomorrow'
        : days > 0
          ? `in ${days} days`
          : days === -1
            ? '1 day late'
            : `${-days} days late`;
  return { text: `move by ${dayText(day, now)} (${far})`, late: days < 0 };
}
