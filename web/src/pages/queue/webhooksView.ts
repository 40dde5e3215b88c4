// Addresses that the server tells what happened: by name, with a test. There are none unless the configuration has some.
import { run, type Ctx } from '../../ctx';
import { plural } from '../../ui/format';
import { button, each, h, type VNode } from '../../ui/dom';
import * as ctrl from './queueCtrl';

export function webhooksView(ctx: Ctx): VNode | null {
  const { webhooks, tests } = ctx.state.queue;
  if (!webhooks.length) return null;
  const testing = tests === 'testing';
  return h('section.engine.webhooks', { key: 'webhooks', attrs: { 'aria-label': 'Webhooks' } }, [
    h('header', [h('h3', 'Webhooks')]),
    each('ul', {}, webhooks, hook =>
      h('li.process', { key: hook.name, attrs: { 'data-testid': 'webhook' } }, [
        h('div.process-line', [h('strong.cut', hook.name), h('span.muted', `${hook.sent} sent`)]),
        hook.problem
          ? h('p.error', hook.lost ? `${hook.problem}; ${plural(hook.lost, 'message')} lost` : hook.problem)
          : null,
      ]),
    ),
    h('p', [
      button('', {
        label: testing ? 'Testing …' : 'Test the webhooks',
        disabled: testing,
        run: () => run(ctx, ctrl.testWebhooks(ctx)),
      }),
    ]),
    h(
      'div',
      { attrs: { role: 'status', 'data-testid': 'webhook-tests' } },
      tests && !testing
        ? tests.map(test =>
            h(
              test.problem ? 'p.error' : 'p.muted',
              test.problem
                ? `${test.name}: ${test.problem}`
                : `${test.name} took the test (${test.status}, ${test.milliseconds} ms).`,
            ),
          )
        : [],
    ),
  ]);
}
