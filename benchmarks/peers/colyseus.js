// Colyseus: a room for each game, its state as a schema, a patch to everybody after each action. Stores nothing.
'use strict';

const { createServer } = require('node:http');
const { Server, Room } = require('@colyseus/core');
const { WebSocketTransport } = require('@colyseus/ws-transport');
const { schema } = require('@colyseus/schema');
const { claimable, pieceNumber, squareNumber } = require('./quarto');

// `seq` comes first, so that it is the first field of every patch.
const QuartoState = schema({
  seq: 'uint32',
  phase: 'string',
  toAct: 'uint8',
  hand: 'int8',
  last: 'int8',
  board: ['int8'],
  record: 'string',
  deadline: 'number',
  result: 'string',
});

class Refused extends Error {}

function refuseUnless(fact, code) {
  if (!fact) throw new Refused(code);
}

class QuartoRoom extends Room {
  patchRate = null; // a patch leaves after each action, not at intervals
  seatReservationTimeout = 120;
  state = new QuartoState({
    seq: 0, phase: 'give', toAct: 1, hand: -1, last: -1, board: new Array(16).fill(-1), record: '',
    deadline: 0, result: '',
  });
  left = new Set(Array(16).keys());
  closed = new Set(); // the seats whose window on the last placement is closed

  messages = {
    action: (client, action) => this.receive(client, action),
  };

  onJoin(client, options) {
    client.userData = { seat: Number(options.seat) || null };
  }

  receive(client, action) {
    try {
      this.judge(client.userData.seat, action);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      client.send('reply', { id: action.id, ok: false, seq: this.state.seq, code: error.message });
      return;
    }
    client.send('reply', { id: action.id, ok: true, seq: this.state.seq });
    this.broadcastPatch();
  }

  judge(seat, action) {
    const state = this.state;
    refuseUnless(seat !== null, 'not_a_player');
    refuseUnless(action.seq === state.seq, 'stale');
    refuseUnless(state.result === '', 'game_over');
    refuseUnless(['give', 'place', 'claim', 'pass', 'resign'].includes(action.do), 'bad_request');
    if (action.do === 'resign') {
      state.seq += 1;
      state.result = seat === 1 ? '0-1' : '1-0';
      return;
    }
    refuseUnless(seat === state.toAct, 'not_your_turn');
    this[action.do](seat, action);
  }

  /** Notes an action: `seq` is set before any other field. */
  note(text) {
    this.state.seq += 1;
    this.state.record += ` ${text}`;
    this.state.deadline = Date.now() + 3600000;
  }

  give(seat, action) {
    const piece = pieceNumber(action.piece);
    refuseUnless(piece >= 0, 'bad_request');
    refuseUnless(this.state.phase === 'give', 'wrong_phase');
    refuseUnless(this.left.has(piece), 'piece_taken');
    this.note(`@${action.piece}`);
    this.left.delete(piece);
    Object.assign(this.state, { hand: piece, phase: 'place', toAct: 3 - seat });
  }

  place(seat, action) {
    const square = squareNumber(action.square);
    const state = this.state;
    refuseUnless(square >= 0, 'bad_request');
    refuseUnless(state.phase === 'place', 'wrong_phase');
    refuseUnless(state.board[square] < 0, 'square_taken');
    this.note(action.square);
    state.board[square] = state.hand;
    Object.assign(state, { hand: -1, last: square, phase: this.left.size ? 'give' : 'end' });
    this.closed.clear();
  }

  claim(seat, action) {
    const state = this.state;
    refuseUnless(state.last >= 0 && !this.closed.has(seat), 'no_window');
    refuseUnless(typeof action.line === 'string', 'line_required');
    this.note(`!${action.line}`);
    this.closed.add(seat);
    if (claimable(state.board, state.last, action.line)) state.result = seat === 1 ? '1-0' : '0-1';
  }

  pass(seat) {
    const state = this.state;
    refuseUnless(state.phase === 'end' || state.phase === 'reply', 'wrong_phase');
    this.note('pass');
    if (state.phase === 'reply') state.result = '1/2-1/2';
    else Object.assign(state, { phase: 'reply', toAct: 3 - seat });
  }
}

const http = createServer();
const server = new Server({ transport: new WebSocketTransport({ server: http }), greet: false });
server.define('quarto', QuartoRoom);
server.listen(0, '127.0.0.1').then(() => {
  console.log(`Listening on http://127.0.0.1:${http.address().port}`);
});
