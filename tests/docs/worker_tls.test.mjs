// `adjourn worker --server https://…`, as docs/operate/workers.md has it: a TLS end stands before the server, with a
// certificate of its own. A machine answers through it only if it trusts the certificate. Needs openssl.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import tls from 'node:tls';
import { build } from './documents.mjs';
import { Sandbox } from './sandbox.mjs';

// A certificate for that name, signed by itself, and its key: files beside each other.
function certify(box, name, alternative) {
  const at = ending => path.join(box.folder, `${name}.${ending}`);
  const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${name}`];
  const made = spawnSync(
    'openssl',
    words.concat(['-addext', `subjectAltName=${alternative}`, '-keyout', at('key'), '-out', at('crt')]),
    { encoding: 'utf8' },
  );
  assert.equal(made.status, 0, made.stderr);
  return { certificate: at('crt'), key: at('key') };
}

// Takes TLS apart before the server. Returns its port; closed with the test.
async function end(box, pair, context) {
  const options = { cert: readFileSync(pair.certificate), key: readFileSync(pair.key) };
  const open = new Set();
  const proxy = tls.createServer(options, outer => {
    const inner = net.connect(box.port, '127.0.0.1');
    for (const [from, to] of [
      [outer, inner],
      [inner, outer],
    ]) {
      open.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  proxy.on('tlsClientError', () => {}); // who does not trust it goes away
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  context.after(() => {
    proxy.close();
    for (const socket of open) socket.destroy();
  });
  return proxy.address().port;
}

test('a worker over https, and certificates that it does not trust', { timeout: 240_000 }, async context => {
  const box = await Sandbox.make();
  context.after(() => box.close());
  const secret = path.join(box.folder, 'worker');
  writeFileSync(secret, 'work\n', { mode: 0o600 });
  const config = readFileSync(box.config, 'utf8').replace('AnswerMs = 0', 'AnswerMs = 20');
  const theirs = path.join(box.folder, 'theirs.toml');
  writeFileSync(theirs, config);
  const good = certify(box, 'here', 'DNS:localhost');
  const at = await end(box, good, context);
  const keys = `token = "secret"\nworker_token_file = "${secret}"\nhosts = ["localhost:${at}"]\n`;
  writeFileSync(box.config, keys + config);
  const started = box.run('adjourn serve');
  assert.equal(started.status, 0, started.output);

  const other = certify(box, 'elsewhere', 'DNS:elsewhere.example');
  const words = (port, trusted) =>
    ['worker', '--server', `https://localhost:${port}`, '--token-file', secret, '--config', theirs].concat(
      ['--name', 'friend'],
      trusted ? ['--ca-file', trusted] : [],
    );
  const run = (port, trusted) =>
    new Promise(done => {
      const worker = spawn(path.join(build, 'adjourn'), words(port, trusted), { env: box.environment });
      let said = '';
      worker.stderr.on('data', text => (said += text));
      worker.on('close', status => done({ status, said }));
    });
  const distrust = /shows a certificate that this machine does not trust: .*certificate verify failed/;
  for (const refused of [
    await run(at), // nobody knows who signed it
    await run(at, other.certificate), // another one did
    await run(await end(box, other, context), other.certificate), // it is for another name
  ]) {
    assert.equal(refused.status, 1, refused.said);
    assert.match(refused.said, distrust);
  }
  const none = await run(at, secret);
  assert.equal(none.status, 2);
  assert.match(none.said, /--ca-file: no certificates can be read from/);

  const shown = { Authorization: 'Bearer secret', 'Content-Type': 'application/json' };
  const ask = async (target, options = {}) =>
    (await fetch(`http://127.0.0.1:${box.port}/api/v1/${target}`, { headers: shown, ...options })).json();
  const worker = spawn(path.join(build, 'adjourn'), words(at, good.certificate), {
    env: box.environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  worker.stderr.on('data', text => (said += text));
  context.after(() => worker.kill('SIGKILL'));
  const until = async enough => {
    for (let machines = []; ; machines = (await ask('workers')).machines) {
      if (enough(machines)) return;
      assert.equal(worker.exitCode, null, said);
      await new Promise(again => setTimeout(again, 20)); // between two looks
    }
  };
  await until(machines => machines.length === 1);
  await ask('analyses', {
    method: 'POST',
    body: JSON.stringify({ position: {}, limit: { depth: 6 }, strategy: { kind: 'halving', refine: 3 } }),
  });
  await until(machines => machines[0]?.answered > 0);
  worker.kill('SIGINT');
  const [status] = await once(worker, 'close');
  assert.equal(status, 0);
});
