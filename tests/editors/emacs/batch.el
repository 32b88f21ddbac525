;;; batch.el --- What the tests add to a batch Emacs  -*- lexical-binding: t; -*-

;;; Commentary:

;; Choices are taken from `batch-choice' instead of a keyboard, and what was
;; offered is kept.  Forms come in on stdin, a line each, and the value of each
;; leaves as a line of JSON.

;;; Code:

(require 'json)
(require 'package)
(package-initialize)

(defconst batch-package
  (expand-file-name "../../../editors/emacs/sightline.el" (file-name-directory load-file-name)))

(add-to-list 'load-path (file-name-directory batch-package))
(load batch-package nil t)

;; The machine may be busy; no test measures time.
(setq eglot-connect-timeout 120
      jsonrpc-default-request-timeout 90)

(defvar batch-choice 0 "Which of the offered candidates is chosen.")
(defvar batch-offered nil "The candidates offered last, in order.")

(setq completing-read-function
      (lambda (_prompt table &rest _)
        (setq batch-offered (all-completions "" table))
        (nth batch-choice batch-offered)))

(defun batch-ready ()
  "Wait until every folder of the project is indexed."
  (with-timeout (180 (error "The index is not ready"))
    (while (seq-some (lambda (folder) (not (equal (plist-get folder :state) "ready")))
                     (plist-get (sightline--ask :workspace/indexStatus (make-hash-table)) :folders))
      (accept-process-output nil 0.1))))

(defun batch-places (query)
  "The server's answers to QUERY as path:line, in its order."
  (mapcar (lambda (hit) (format "%s:%d" (plist-get hit :path) (sightline--line-number hit)))
          (plist-get (sightline--ask :workspace/semanticSearch (list :query query :limit sightline-limit))
                     :results)))

(defun batch-hit ()
  "A hit with the fewest fields."
  '(:path "a.py" :range (:start (:line 4 :character 0)) :snippet (:text "open(a)\nopen(b)" :startLine 3)))

(defun batch-eldoc ()
  "What eldoc shows at point."
  (let (text)
    (run-hook-with-args-until-success 'eldoc-documentation-functions (lambda (shown &rest _) (setq text shown)))
    (with-timeout (90 (error "No hover came"))
      (while (not text) (accept-process-output nil 0.1)))
    text))

(defun batch-where ()
  "The place of point as path:line."
  (format "%s:%d" (file-relative-name buffer-file-name (sightline--root (sightline--project)))
          (line-number-at-pos)))

(defun batch-answer (form)
  "The value of FORM, or what went wrong, as a line of JSON."
  (let ((answer (condition-case problem
                    `(:value ,(eval form t))
                  (error `(:error ,(error-message-string problem))))))
    (princ (concat "\nANSWER " (json-encode answer) "\n"))))

(defun batch-serve ()
  "Answer forms until stdin ends."
  (let (line)
    (while (setq line (ignore-errors (read-from-minibuffer "")))
      (batch-answer (car (read-from-string line))))))

(provide 'batch)
;;; batch.el ends here
