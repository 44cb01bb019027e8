;; Start, interrupts and the few loops that must fit the vertical blank.
	.module crt0
	.globl	_main, _sound_tick
	.globl	_frame_done, _column_pending, _column_source, _column_target
	.globl	_hud_pending, _hud_rows, _tile_pending, _tile_source, _tile_target
	.globl	_sky_scroll, _field_scroll, _card_shown, _copy_length
	.globl	_copy_bytes, _start_interrupts
	.globl	s__INITIALIZER, l__INITIALIZER, s__INITIALIZED

	.area	_HEADER (ABS)
	.org	0x0040
	jp	vertical_blank
	.org	0x0048
	jp	raster_split
	.org	0x0100
	nop
	jp	start
	.org	0x0150
start:
	di
	ld	sp,#0xdff0
	ld	hl,#0xc000
	ld	bc,#0x1ff0
1$:
	xor	a
	ld	(hl+),a
	dec	bc
	ld	a,b
	or	c
	jr	nz,1$
	ld	hl,#dma_routine
	ld	c,#0x90
	ld	b,#(dma_routine_end - dma_routine)
2$:
	ld	a,(hl+)
	ldh	(c),a
	inc	c
	dec	b
	jr	nz,2$
	call	initialise_globals
	call	_main
3$:
	halt
	jr	3$

	.area	_HOME
	.area	_CODE
vertical_blank:
	push	af
	push	bc
	push	de
	push	hl
	call	0xff90
	ld	a,(_column_pending)
	or	a
	jr	z,hud
	xor	a
	ld	(_column_pending),a
	ld	a,(_column_source)
	ld	e,a
	ld	a,(_column_source+1)
	ld	d,a
	ld	a,(_column_target)
	ld	l,a
	ld	a,(_column_target+1)
	ld	h,a
	ld	bc,#32
	.rept	12
	ld	a,(de)
	inc	de
	ld	(hl),a
	add	hl,bc
	.endm
hud:
	ld	a,(_hud_pending)
	or	a
	jr	z,animate
	xor	a
	ld	(_hud_pending),a
	ld	de,#_hud_rows
	ld	hl,#0x9c00
	call	copy_twenty
	ld	hl,#0x9c20
	call	copy_twenty
animate:
	ld	a,(_tile_pending)
	or	a
	jr	z,registers
	xor	a
	ld	(_tile_pending),a
	ld	a,(_tile_source)
	ld	e,a
	ld	a,(_tile_source+1)
	ld	d,a
	ld	a,(_tile_target)
	ld	l,a
	ld	a,(_tile_target+1)
	ld	h,a
	.rept	16
	ld	a,(de)
	inc	de
	ld	(hl+),a
	.endm
registers:
	ld	a,(_card_shown)
	cp	#2
	ld	a,#0xc7		; 2: a picture, no window
	jr	z,1$
	ld	a,(_card_shown)
	or	a
	ld	a,#0xe7		; 1: window and objects over the whole screen
	jr	nz,1$
	ld	a,#15
	ldh	(0x45),a
	ld	a,#0xe5		; window without objects: the bar
1$:
	ldh	(0x40),a
	ld	a,#1
	ld	(_frame_done),a
	ei
	call	_sound_tick
	pop	hl
	pop	de
	pop	bc
	pop	af
	reti

copy_twenty:
	.rept	20
	ld	a,(de)
	inc	de
	ld	(hl+),a
	.endm
	ret

;; Line 15: the bar ends, objects begin, the sky drifts. Line 47: the orchard scrolls with the fly.
raster_split:
	push	af
	ld	a,(_card_shown)
	or	a
	jr	nz,4$
	ldh	a,(0x45)
	cp	#15
	jr	nz,2$
1$:
	ldh	a,(0x41)
	and	#3
	jr	nz,1$
	ld	a,#0xc7
	ldh	(0x40),a
	ld	a,(_sky_scroll)
	ldh	(0x43),a
	ld	a,#47
	ldh	(0x45),a
	pop	af
	reti
2$:
	ldh	a,(0x41)
	and	#3
	jr	nz,2$
	ld	a,(_field_scroll)
	ldh	(0x43),a
4$:
	pop	af
	reti

dma_routine:
	ld	a,#0xc0
	ldh	(0x46),a
	ld	a,#40
1$:
	dec	a
	jr	nz,1$
	ret
dma_routine_end:

;; void copy_bytes(u8 *target (de), const u8 *source (bc)); length in _copy_length
_copy_bytes::
	ld	l,c
	ld	h,b
	ld	a,(_copy_length)
	ld	c,a
	ld	a,(_copy_length+1)
	ld	b,a
	or	c
	ret	z
1$:
	ld	a,(hl+)
	ld	(de),a
	inc	de
	dec	bc
	ld	a,b
	or	c
	jr	nz,1$
	ret

_start_interrupts::
	ld	a,#0x40
	ldh	(0x41),a
	ld	a,#15
	ldh	(0x45),a
	xor	a
	ldh	(0x0f),a
	ld	a,#3
	ldh	(0xff),a
	ei
	ret

	.area	_INITIALIZER
	.area	_GSINIT
	.area	_GSFINAL
	.area	_DATA
_frame_done::
	.ds	1
_column_pending::
	.ds	1
_column_source::
	.ds	2
_column_target::
	.ds	2
_hud_pending::
	.ds	1
_hud_rows::
	.ds	40
_tile_pending::
	.ds	1
_tile_source::
	.ds	2
_tile_target::
	.ds	2
_sky_scroll::
	.ds	1
_field_scroll::
	.ds	1
_card_shown::
	.ds	1
_copy_length::
	.ds	2
	.area	_INITIALIZED
	.area	_BSS
	.area	_HEAP
	.area	_GSINIT
initialise_globals:
	ld	bc,#l__INITIALIZER
	ld	de,#s__INITIALIZER
	ld	hl,#s__INITIALIZED
	jr	2$
1$:
	ld	a,(de)
	inc	de
	ld	(hl+),a
	dec	bc
2$:
	ld	a,b
	or	c
	jr	nz,1$
	.area	_GSFINAL
	ret
