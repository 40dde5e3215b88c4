// The proxy of docs/operate/service-and-lan.md: nginx with TLS in front of the server. The page, calls, a large import and
// events pass through it. Needs nginx, openssl, web/dist.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import path from 'node:path';
import { test } from 'node:test';
import { read, root } from './documents.mjs';
import { Sandbox, freePort } from './sandbox.mjs';

const nginx = process.env.ADJOURN_NGINX ?? '/usr/sbin/nginx';
const name = 'chess.example.org';
const secret = 'a secret of forty-eight letters, as openssl made';

// One nginx with the document's server in it, at a port of its own and with a certificate of its own.
class Proxy {
  static async make(box) {
    const proxy = new Proxy();
    proxy.port = await freePort();
    const folder = path.join(box.folder, 'nginx');
    mkdirSync(folder);
    const at = file => path.join(folder, file);
    const made = spawnSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${name}`].concat([
        '-addext',
        `subjectAltName=DNS:${name}`,
        '-keyout',
        at('key'),
        '-out',
        at('crt'),
      ]),
      { encoding: 'utf8' },
    );
    assert.equal(made.status, 0, made.stderr);
    proxy.certificate = readFileSync(at('crt'));
    const document = read('docs/operate/service-and-lan.md');
    const server = /<!-- config: nginx -->\n```nginx\n([^]*?)```/.exec(document)[1];
    const adapted = box
      .adapted(server)
      .replace('listen 443 ssl', `listen 127.0.0.1:${proxy.port} ssl`)
      .replace(/ssl_certificate +\S+;/, `ssl_certificate ${at('crt')};`)
      .replace(/ssl_certificate_key +\S+;/, `ssl_certificate_key ${at('key')};`);
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    writeFileSync(
      at('nginx.conf'),
      `daemon off;\nmaster_process off;\npid ${at('pid')};\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n` +
        places.map(each => `${each}_temp_path ${at(each)};\n`).join('') +
        `${adapted}}\n`,
    );
    proxy.process = spawn(nginx, ['-e', 'stderr', '-p', folder, '-c', at('nginx.conf')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    proxy.said = '';
    proxy.process.stderr.on('data', text => (proxy.said += text));
    await proxy.up();
    return proxy;
  }

  // Until it answers; fails if it ends instead.
  async up() {
    for (;;) {
      assert.equal(this.process.exitCode, null, this.said);
      const answer = await this.ask('GET', '/').catch(error => error);
      if (!(answer instanceof Error)) return;
      if (answer.code !== 'ECONNREFUSED') throw answer;
      await new Promise(again => setTimeout(again, 20)); // between two tries
    }
  }

  request(method, target, headers = {}) {
    return https.request({
      host: '127.0.0.1',
      port: this.port,
      servername: name,
      ca: this.certificate,
      method,
      path: target,
      headers: { Host: name, ...headers },
    });
  }

  ask(method, target, headers, body = '') {
    return new Promise((done, failed) => {
      const request = this.request(method, target, headers);
      request.on('error', failed);
      request.on('response', response => {
        let text = '';
        response.on('data', more => (text += more));
        response.on('end', () =>
          done({ status: response.statusCode, headers: response.headers, body: text }),
        );
      });
      request.end(body);
    });
  }
}

test('nginx with TLS: page, calls, a large import, events', async () => {
  const box = await Sandbox.make();
  let proxy;
  try {
    const token = path.join(box.folder, 'token');
    writeFileSync(token, `${secret}\n`, { mode: 0o600 });
    writeFileSync(
      box.config,
      `token_file = "${token}"\nhosts = ["${name}"]\n${readFileSync(box.config, 'utf8')}`,
    );
    const started = box.run(`adjourn serve --web ${path.join(root, 'web/dist')}`);
    assert.equal(started.status, 0, started.output);
    proxy = await Proxy.make(box);
    const shown = { Authorization: `Bearer ${secret}` };
    const page = await proxy.ask('GET', '/');
    assert.equal(page.status, 200);
    assert.match(page.body, /<!doctype html>/);
    assert.match(page.headers['strict-transport-security'], /max-age/);
    assert.equal((await proxy.ask('GET', '/api/v1/health')).status, 401);
    assert.equal((await proxy.ask('GET', '/api/v1/health', shown)).status, 200);
    // As a browser sends it: with the page's origin.
    const json = { ...shown, 'Content-Type': 'application/json', Origin: `https://${name}` };
    const ticket = JSON.parse((await proxy.ask('POST', '/api/v1/tickets', json)).body).ticket;
    const stream = proxy.request('GET', `/api/v1/events?ticket=${ticket}`);
    const event = new Promise((done, failed) => {
      stream.on('error', failed);
      stream.on('response', response => {
        assert.equal(response.statusCode, 200);
        assert.equal(response.headers['content-type'], 'text/event-stream');
        let text = '';
        response.on('data', more => {
          text += more;
          if (text.includes('event: analysis')) done(text);
        });
      });
    });
    stream.end();
    const made = await proxy.ask(
      'POST',
      '/api/v1/analyses',
      json,
      JSON.stringify({ position: {}, limit: { depth: 4 }, strategy: { kind: 'halving', refine: 1 } }),
    );
    assert.equal(made.status, 201, made.body);
    assert.match(await event, /"id":1/);
    stream.destroy();
    const game = '[Event "a"]\n[Result "*"]\n\n1. e4 { [%eval 0.2,20] } e5 *\n\n';
    const large = await proxy.ask(
      'POST',
      '/api/v1/import?format=pgn&name=games',
      { ...shown, 'Content-Type': 'application/x-chess-pgn' },
      game.repeat(Math.floor((7 << 20) / game.length)),
    );
    assert.equal(large.status, 200, large.body);
    const foreign = await proxy.ask('POST', '/api/v1/tickets', { ...json, Origin: 'https://evil.example' });
    assert.equal(foreign.status, 403);
  } finally {
    proxy?.process.kill('SIGKILL');
    box.close();
  }
});
