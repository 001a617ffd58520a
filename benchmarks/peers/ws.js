// A bare broadcast: every action goes to everybody at its board. No rules, no storage.
'use strict';

const { createServer } = require('node:http');
const { WebSocketServer, WebSocket } = require('ws');

const boards = new Map(); // id -> { seq, record, sockets }

function boardOf(id) {
  if (!boards.has(id)) boards.set(id, { seq: 0, record: '', sockets: new Set() });
  return boards.get(id);
}

/** As large as the state of a real server, so that as many bytes travel. */
function stateOf(id, board) {
  return {
    type: 'state', id, seq: board.seq, status: 'live', phase: 'give', to_act: 1,
    position: '..../..../..../.... - 1 G - - L:F', record: board.record, offer: null,
    clock: { now: Date.now(), deadline: Date.now() + 3600000, turn_ms: 3600000, bank_ms: [0, 0], paused: null },
    result: null, termination: null, win_lines: [],
  };
}

function act(socket, id, board, action) {
  board.seq += 1;
  board.record += ` ${action.piece ?? action.square ?? action.do}{0.000}`;
  socket.send(JSON.stringify({ type: 'reply', id: action.id, ok: true, seq: board.seq }));
  const state = JSON.stringify(stateOf(id, board));
  for (const other of board.sockets) {
    if (other.readyState === WebSocket.OPEN) other.send(state);
  }
}

const http = createServer();
const server = new WebSocketServer({ server: http });

server.on('connection', (socket, request) => {
  const url = new URL(request.url, 'http://localhost');
  const id = url.pathname.split('/')[3];
  const seat = Number(url.searchParams.get('seat')) || null;
  const board = boardOf(id);
  board.sockets.add(socket);
  socket.on('message', (text) => act(socket, id, board, JSON.parse(text)));
  socket.on('close', () => {
    board.sockets.delete(socket);
    if (board.sockets.size === 0) boards.delete(id);
  });
  socket.send(JSON.stringify({ type: 'game', id, you: seat, state: stateOf(id, board) }));
});

http.listen(0, '127.0.0.1', () => console.log(`Listening on http://127.0.0.1:${http.address().port}`));
